#pragma once

/// Runs Catch2's tests as arguments of the program ask for; what `main` returns.
int run_catch_session(int argc, char** argv);
