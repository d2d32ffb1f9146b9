// SPDX-License-Identifier: BSD-3-Clause
#ifndef HILDA_TESTING_LOCKS_H
#define HILDA_TESTING_LOCKS_H

// Where a block waits for another thread in the loop, or starts one. A lock that no other thread holds makes no system
// call, so the calls of the C library are what can be seen.

#include <hilda/testing/call_watch.h>
#include <semaphore.h>
#include <threads.h>

namespace hilda::testing {

/// Functions that may wait until another thread acts. Those that only try are not among them.
struct Locks {
  static const std::vector<Replacement>& replacements() {
    static const std::vector<Replacement> all{
        HILDA_TESTING_PASS_ON(Locks, pthread_mutex_lock, (pthread_mutex_t * m), (m)),
        HILDA_TESTING_PASS_ON(Locks, pthread_mutex_timedlock, (pthread_mutex_t * m, const timespec* t), (m, t)),
        HILDA_TESTING_PASS_ON(Locks, pthread_rwlock_rdlock, (pthread_rwlock_t * l), (l)),
        HILDA_TESTING_PASS_ON(Locks, pthread_rwlock_wrlock, (pthread_rwlock_t * l), (l)),
        HILDA_TESTING_PASS_ON(Locks, pthread_rwlock_timedrdlock, (pthread_rwlock_t * l, const timespec* t), (l, t)),
        HILDA_TESTING_PASS_ON(Locks, pthread_rwlock_timedwrlock, (pthread_rwlock_t * l, const timespec* t), (l, t)),
        HILDA_TESTING_PASS_ON(Locks, pthread_spin_lock, (pthread_spinlock_t * l), (l)),
        HILDA_TESTING_PASS_ON(Locks, pthread_barrier_wait, (pthread_barrier_t * b), (b)),
        HILDA_TESTING_PASS_ON(Locks, pthread_cond_wait, (pthread_cond_t * c, pthread_mutex_t * m), (c, m)),
        HILDA_TESTING_PASS_ON(Locks, pthread_cond_timedwait,
                              (pthread_cond_t * c, pthread_mutex_t * m, const timespec* t), (c, m, t)),
        HILDA_TESTING_PASS_ON(Locks, pthread_mutex_clocklock, (pthread_mutex_t * m, clockid_t k, const timespec* t),
                              (m, k, t)),
        HILDA_TESTING_PASS_ON(Locks, pthread_cond_clockwait,
                              (pthread_cond_t * c, pthread_mutex_t * m, clockid_t k, const timespec* t), (c, m, k, t)),
        HILDA_TESTING_PASS_ON(Locks, sem_wait, (sem_t * s), (s)),
        HILDA_TESTING_PASS_ON(Locks, sem_timedwait, (sem_t * s, const timespec* t), (s, t)),
        HILDA_TESTING_PASS_ON(Locks, mtx_lock, (mtx_t * m), (m)),
        HILDA_TESTING_PASS_ON(Locks, cnd_wait, (cnd_t * c, mtx_t * m), (c, m)),
        HILDA_TESTING_PASS_ON(Locks, thrd_create, (thrd_t * t, thrd_start_t f, void* a), (t, f, a)),
        HILDA_TESTING_PASS_ON(Locks, pthread_create,
                              (pthread_t * t, const pthread_attr_t* a, void* (*f)(void*), void* b), (t, a, f, b)),
        HILDA_TESTING_PASS_ON(Locks, pthread_join, (pthread_t t, void** r), (t, r))};
    return all;
  }
};

/// Sees every lock that is taken, every wait for another thread and every thread that is started.
using LockWatch = CallWatch<Locks>;

} // namespace hilda::testing

#endif
