// One program per run of CTest: what happens at the edges of a session. argv: the scenario, MPI's library
// folder.
#include <dlfcn.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <map>
#include <string>
#include <thread>
#include <vector>

#include "mpijit/runtime.h"

namespace {

std::string folder;

std::string message_of(int32_t status) {
  mpijit_error error = {};
  mpijit_error_take(&error);
  return status ? error.message : "";
}

int64_t cell = 0;

// A receive that nothing is sent to.
uint64_t post(const mpijit_site& site, int64_t tag) {
  const mpijit_array data = {&cell, nullptr, nullptr, nullptr, MPIJIT_Int64, 0, MPIJIT_WRITEABLE | MPIJIT_C_CONTIGUOUS};
  uint64_t request = 0;
  mpijit_irecv(&site, &data, 0, tag, MPIJIT_COMM_WORLD, &request);
  return request;
}

void show_level() {
  mpijit_barrier(nullptr, MPIJIT_COMM_WORLD);
  const std::string level = mpijit_thread_level();
  mpijit_end();
  std::printf("level %s, finalised %d\n", level.c_str(), mpijit_is_finalized());
}

void bad_level() { std::puts(message_of(mpijit_barrier(nullptr, MPIJIT_COMM_WORLD)).c_str()); }

void lazy() {
  const int before = mpijit_is_initialized();
  mpijit_constant(MPIJIT_PROC_NULL);
  mpijit_library_version();
  const int still = mpijit_is_initialized();
  double seconds = 0;
  mpijit_wtime(nullptr, &seconds);
  std::printf("initialised %d %d %d\n", before, still, mpijit_is_initialized());
  mpijit_end();
}

void pending() {
  static const mpijit_site first = {"heat.py", "step", 12, 1}, second = {"heat.py", "step", 13, 1};
  for (int i = 0; i < 3; ++i)
    post(first, i);
  post(second, 5);
  mpijit_end();
  std::fputs("ended\n", stderr);
}

void many_places() {
  static std::vector<mpijit_site> sites;
  for (int32_t i = 1; i <= 7; ++i)
    sites.push_back({"p.py", "k", i, 1});
  for (const mpijit_site& site : sites)
    post(site, site.line);
  mpijit_end();
}

void nothing_pending() {
  mpijit_begin(nullptr);
  mpijit_end();
  std::fputs("ended\n", stderr);
}

void finalised() {
  static const mpijit_site site = {"late.py", "k", 1, 1};
  const uint64_t request = post(site, 0);
  mpijit_end();
  const mpijit_array data = {&cell, nullptr, nullptr, nullptr, MPIJIT_Int64, 0, MPIJIT_C_CONTIGUOUS};
  uint64_t other = 0;
  const std::string a = message_of(mpijit_barrier(nullptr, MPIJIT_COMM_WORLD));
  const std::string b = message_of(mpijit_isend(nullptr, &data, 0, 0, MPIJIT_COMM_WORLD, &other));
  const std::string c = message_of(mpijit_wait(nullptr, request, nullptr));
  std::printf("%s, %s, %s\n", a.c_str(), b.c_str(), c.c_str());
}

void fork_a_child() {
  mpijit_begin(nullptr);
  std::fflush(stdout);
  const pid_t child = fork();
  if (child == 0) {
    const std::string refused = message_of(mpijit_barrier(nullptr, MPIJIT_COMM_WORLD));
    mpijit_lock();
    mpijit_unlock();
    mpijit_end();
    std::printf("child: %s\n", refused.c_str());
    mpijit_end_job(3); // ends the child alone
  }
  int status = 0;
  waitpid(child, &status, 0);
  const bool well = WIFEXITED(status) && WEXITSTATUS(status) == 3 && !mpijit_barrier(nullptr, MPIJIT_COMM_WORLD);
  if (mpijit_world.rank == 0)
    std::printf("parent 0 ends %s\n", well ? "well" : "badly");
  mpijit_end();
}

// MPI's own function, for scenarios in which somebody else initialises or finalises.
int call_mpi_init() {
  return reinterpret_cast<int (*)(int*, char***)>(dlsym(RTLD_DEFAULT, "MPI_Init"))(nullptr, nullptr);
}
int call_mpi_finalize() { return reinterpret_cast<int (*)()>(dlsym(RTLD_DEFAULT, "MPI_Finalize"))(); }

void adopted() {
  call_mpi_init();
  const int32_t used = mpijit_barrier(nullptr, MPIJIT_COMM_WORLD);
  mpijit_end();
  const int finalised_by_us = mpijit_is_finalized();
  call_mpi_finalize();
  const std::string late = message_of(mpijit_barrier(nullptr, MPIJIT_COMM_WORLD));
  std::printf("adopted %d %d, %s\n", used, finalised_by_us, late.c_str());
}

void finalised_by_another() {
  mpijit_begin(nullptr);
  call_mpi_finalize();
  const std::string late = message_of(mpijit_barrier(nullptr, MPIJIT_COMM_WORLD));
  mpijit_end();
  std::printf("%s\n", late.c_str());
}

// A long message that nobody receives must not keep the job from ending.
void unreceived() {
  mpijit_begin(nullptr);
  static std::vector<int64_t> data(1 << 20);
  static const int64_t shape[] = {1 << 20}, strides[] = {8};
  static const mpijit_site site = {"lost.py", "k", 4, 1};
  const mpijit_array sent = {data.data(), shape, strides, nullptr, MPIJIT_Int64, 1, MPIJIT_C_CONTIGUOUS};
  uint64_t request = 0;
  if (mpijit_world.rank == 0)
    mpijit_isend(&site, &sent, 1, 0, MPIJIT_COMM_WORLD, &request);
  mpijit_end();
  if (mpijit_world.rank == 0)
    std::fputs("ended\n", stderr);
}

// More elements than an int counts.
void large() {
  const int64_t count = (int64_t{1} << 31) + 8, shape[] = {count}, strides[] = {1};
  if (sysconf(_SC_AVPHYS_PAGES) * sysconf(_SC_PAGESIZE) < 3 * count)
    return void(std::puts("not enough memory: large ok"));
  const auto map = [count] {
    return static_cast<char*>(
        mmap(nullptr, count, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0));
  };
  char *from = map(), *to = map();
  from[count - 1] = 77;
  const mpijit_array sent = {from, shape, strides, nullptr, MPIJIT_Int8, 1, MPIJIT_C_CONTIGUOUS};
  const mpijit_array received = {to, shape, strides, nullptr, MPIJIT_Int8, 1, MPIJIT_WRITEABLE | MPIJIT_C_CONTIGUOUS};
  mpijit_status status = {};
  const std::string failed =
      message_of(mpijit_sendrecv(nullptr, &sent, 0, &received, 0, 0, 0, MPIJIT_COMM_WORLD, &status));
  const bool good = status.count == count && to[count - 1] == 77;
  std::printf("large %s%s\n", good ? "ok" : "wrong", failed.c_str());
  mpijit_end();
}

void other_launcher() {
  mpijit_begin(nullptr);
  mpijit_end();
}

void two_libraries() {
  if (!dlopen((folder + "/libmpi_abi.so.1").c_str(), RTLD_NOW | RTLD_LOCAL))
    std::puts(dlerror());
  std::puts(message_of(mpijit_begin(nullptr)).c_str());
}

// Rank 0 dies before it initialised; the other waits in MPI_Init for it.
void abort_before_init() {
  const char* rank = std::getenv("PMI_RANK");
  if (rank && std::atoi(rank) == 0)
    mpijit_end_job(7);
  mpijit_barrier(nullptr, MPIJIT_COMM_WORLD);
  mpijit_barrier(nullptr, MPIJIT_COMM_WORLD);
}

// Below MPI_THREAD_MULTIPLE nobody may do this; there, the tables guard themselves. Every other send is dropped, so
// that threads reap while others wait.
void multiple_requests() {
  mpijit_begin(nullptr);
  std::atomic<int> good{0};
  const auto work = [&good](int64_t tag) {
    int64_t out[3] = {}, in[3] = {};
    const int64_t shape[] = {2}, strides[] = {16};
    const mpijit_array sent = {out, shape, strides, nullptr, MPIJIT_Int64, 1, MPIJIT_WRITEABLE};
    const mpijit_array received = {in, shape, strides, nullptr, MPIJIT_Int64, 1, MPIJIT_WRITEABLE};
    for (int64_t i = 0; i < 5000; ++i) {
      uint64_t requests[2] = {};
      out[0] = i * tag;
      mpijit_irecv(nullptr, &received, 0, tag, MPIJIT_COMM_WORLD, &requests[0]);
      mpijit_isend(nullptr, &sent, 0, tag, MPIJIT_COMM_WORLD, &requests[1]);
      mpijit_waitall(nullptr, requests, i % 2 ? 2 : 1);
      good += in[0] == i * tag;
    }
  };
  std::vector<std::thread> all;
  for (int64_t tag = 1; tag <= 4; ++tag)
    all.emplace_back(work, tag);
  for (std::thread& thread : all)
    thread.join();
  std::printf("good %d, borrowed %lld\n", good.load(), static_cast<long long>(mpijit_borrowed_requests()));
  mpijit_end();
}

void threads() {
  mpijit_begin(nullptr);
  int64_t count = 0;
  const auto work = [&count] {
    for (int i = 0; i < 100'000; ++i) {
      mpijit_lock();
      ++count;
      mpijit_unlock();
    }
  };
  std::vector<std::thread> all;
  for (int i = 0; i < 4; ++i)
    all.emplace_back(work);
  for (std::thread& thread : all)
    thread.join();
  std::printf("count %lld\n", static_cast<long long>(count));
  mpijit_end();
}

} // namespace

int main(int argc, char** argv) {
  const std::map<std::string, std::function<void()>> scenarios = {{"default_level", show_level},
                                                                  {"single", show_level},
                                                                  {"funneled", show_level},
                                                                  {"multiple", show_level},
                                                                  {"bad_level", bad_level},
                                                                  {"lazy", lazy},
                                                                  {"pending", pending},
                                                                  {"many_places", many_places},
                                                                  {"nothing_pending", nothing_pending},
                                                                  {"finalised", finalised},
                                                                  {"fork", fork_a_child},
                                                                  {"other_launcher", other_launcher},
                                                                  {"two_libraries", two_libraries},
                                                                  {"abort_before_init", abort_before_init},
                                                                  {"threads", threads},
                                                                  {"adopted", adopted},
                                                                  {"finalised_by_another", finalised_by_another},
                                                                  {"unreceived", unreceived},
                                                                  {"large", large},
                                                                  {"multiple_requests", multiple_requests}};
  if (argc < 3 || !scenarios.count(argv[1]))
    return 2;
  folder = argv[2];
  scenarios.at(argv[1])();
  return 0;
}
