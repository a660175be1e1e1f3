#!/usr/bin/env bash
# What tools/completion.sh offers: check_completion.sh REPOSITORY CORRAL
set -euo pipefail
PATH="$(dirname "$2"):$PATH"
source "$1/tools/completion.sh"

offers() { # EXPECTED WORD...: the last word is the one to be completed
  local expected=$1
  shift
  COMP_WORDS=(corral "$@")
  COMP_CWORD=$(($#))
  COMPREPLY=()
  _corral || true # compgen fails where it finds nothing
  [[ " ${COMPREPLY[*]-} " == *" $expected "* ]] && return
  echo "corral $*: '${COMPREPLY[*]-}' does not hold '$expected'" >&2
  exit 1
}

offers resume res
offers describe ""
offers --overwrite run case --o
offers --until resume case --u
offers --backend check case --b
offers gpu run case --backend g
offers checkpoint.keep= run case --set checkpoint.ke
offers conservative run case --set gas.momentum = con
offers advective run case --set gas.momentum =
offers gas.momentum=conservative run case --set gas.momentum=c
offers false run case --set output.watch = f
offers gidaspow_blended run case --set solids.drag = g
offers gas.density describe gas.
offers membranes.*.arrangement describe membranes.
offers --suite bench --su
offers --cut-off stokes points.csv --cu
offers "$1/README.md" stokes "$1/READ"
offers "$1/README.md" stokes points.csv --targets "$1/READ"
offers "$1/cases" check "$1/case"
offers "$1/README.md" info "$1/READ"
offers --all info --a
echo "completions as expected"
