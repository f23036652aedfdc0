#include "specialisation.h"

#include "exceptions.h"
#include "host.h"
#include "running.h"

namespace mpijit::bind {
namespace {

// Gives a pending request on an argument's memory a reference to the argument.
mpijit_block* keep_argument(void* arguments, const void* begin, const void* end) {
  PyObject* lender = find_lender(*static_cast<const Lenders*>(arguments), static_cast<const char*>(begin),
                                 static_cast<const char*>(end));
  return lender ? hold(lender) : nullptr;
}

int32_t run_communicating(const Specialisation& kernel, const int64_t* words, int64_t* result,
                          const Lenders& arguments) {
  Communicating now;
  const int32_t status = kernel.entry(words, result);
  if (mpijit_borrowed_requests() != 0)
    now.with_python([&] { mpijit_adopt_requests(keep_argument, const_cast<Lenders*>(&arguments)); });
  return status;
}

} // namespace

PyObject* Specialisation::run(const int64_t* words, const Lenders& arguments, PyObject* globals) const {
  if (uses_mpi && !begin_session(site))
    return nullptr;
  WordBuffer returned(result_words);
  const int32_t status =
      communicates ? run_communicating(*this, words, returned.get(), arguments) : entry(words, returned.get());
  if (status)
    return raise_recorded(status, globals);
  return box(result, returned.get(), arguments);
}

} // namespace mpijit::bind
