# Completion of the command `corral` for bash and zsh: source this file from .bashrc or .zshrc. Keys of --set and
# their values come from the command itself, so that they are those of its version.
if [[ -n ${ZSH_VERSION-} ]]; then
  autoload -U +X compinit && compinit -u
  autoload -U +X bashcompinit && bashcompinit
fi

_corral_case_options="--set --backend --device --help"
_corral_run_options="$_corral_case_options --threads --until --steps --output --quiet"

_corral_keys() {
  # A line that is not indented names a section, an indented one begins with a key of it.
  corral describe 2>/dev/null | awk '/^\[/ { sub(/^\[/, ""); sub(/\].*/, ""); section = $0 }
    /^  [a-z]/ { print section "." $1 }'
}

_corral_values() { # KEY: what it may be set to, as far as there is a choice
  corral describe "$1" 2>/dev/null | awk '/^  type +boolean/ { print "true false" }
    /^  choices / { choices = 1; sub(/^  choices +/, "") } choices { if (/^  [a-z]/) exit; gsub(",", " "); print }'
}

_corral() {
  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} command=${COMP_WORDS[1]}
  local words=
  # bash takes the = of KEY=VALUE for a word of its own, zsh all of it for one.
  local key=
  if [[ $word == = ]]; then
    key=$before word=
  elif [[ $before == = ]]; then
    key=${COMP_WORDS[COMP_CWORD - 2]}
  elif [[ $before == --set && $word == *=* ]]; then
    key=${word%%=*}
    COMPREPLY=($(compgen -P "$key=" -W "$(_corral_values "$key")" -- "${word#*=}"))
    return
  fi
  if [[ -n $key ]]; then
    COMPREPLY=($(compgen -W "$(_corral_values "$key")" -- "$word"))
    return
  fi
  if ((COMP_CWORD == 1)); then
    words="run resume check describe info bench stokes --help --version"
  elif [[ $before == --set || $command == describe ]]; then
    words="$(_corral_keys)"
    [[ $command == describe ]] && words+=" --json --help"
  elif [[ $before == --backend ]]; then
    words="cpu gpu"
  elif [[ ($command == info || $command == stokes) && $word != -* ]]; then
    COMPREPLY=($(compgen -f -- "$word"))
    return
  elif [[ $before == --output || $word != -* ]]; then
    COMPREPLY=($(compgen -d -- "$word"))
    return
  else
    case $command in
      run) words="$_corral_run_options --overwrite" ;;
      resume) words=$_corral_run_options ;;
      check) words=$_corral_case_options ;;
      info) words="--all --help" ;;
      bench | stokes) words="$(corral $command --help 2>/dev/null | grep -o -- '--[a-z-]*' | sort -u)" ;;
      *) words="--help" ;;
    esac
  fi
  COMPREPLY=($(compgen -W "$words" -- "$word"))
  # A value follows behind the =.
  if [[ $before == --set && ${#COMPREPLY[@]} -eq 1 ]]; then
    COMPREPLY=("${COMPREPLY[0]}=")
    compopt -o nospace 2>/dev/null || true # zsh has none
  fi
}
complete -F _corral corral
