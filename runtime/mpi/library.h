// Which MPI library the process has, and whether it is the one that the launcher belongs to.
#pragma once

#include "mpijit/runtime.h"

namespace mpijit::rt {

// RuntimeError naming the files when the process has loaded more than one MPI library.
int32_t require_one_library(const mpijit_site* site, const char* routine);

// For a world of one process: says on stderr, from one process of the job, that the launcher started several.
void warn_of_other_launcher();

} // namespace mpijit::rt
