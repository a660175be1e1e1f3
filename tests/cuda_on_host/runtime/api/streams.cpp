#include "tests/cuda_on_host/runtime/sanitizers.hpp"
#include "tests/cuda_on_host/runtime/state.hpp"

using namespace cuda_on_host;

namespace {

/// `body` with the stream's queue.
template <class Body> cudaError_t with_queue(cudaStream_t stream, Body&& body) {
  return call([&] {
    const std::shared_ptr<Queue> queue = state().streams.queue(stream);
    return queue ? body(queue) : cudaErrorInvalidResourceHandle;
  });
}

} // namespace

cudaError_t cudaStreamCreate(cudaStream_t* stream) { return cudaStreamCreateWithFlags(stream, cudaStreamDefault); }

cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned flags) {
  return call([&] {
    if (flags > cudaStreamNonBlocking) return cudaErrorInvalidValue;
    *stream = state().streams.create(flags == cudaStreamDefault);
    return cudaSuccess;
  });
}

cudaError_t cudaStreamDestroy(cudaStream_t stream) {
  return quiet_call([&] {
    if (!stream || stream == cudaStreamLegacy || !state().streams.queue(stream)) return cudaErrorInvalidResourceHandle;
    state().streams.destroy(stream);
    return cudaSuccess;
  });
}

cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
  return with_queue(stream,
                    [](const auto& queue) { return state().streams.synchronize(queue, queue->queued()), cudaSuccess; });
}

cudaError_t cudaStreamQuery(cudaStream_t stream) {
  return with_queue(stream, [](const auto& queue) {
    if (!queue->idle()) state().streams.synchronize(queue, queue->done() + 1);
    if (!queue->idle()) return cudaErrorNotReady;
    queue->acquire(queue->done());
    return cudaSuccess;
  });
}

cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned) {
  return with_queue(stream, [&](const auto& queue) {
    if (!event) return cudaErrorInvalidResourceHandle;
    if (event->point.queue) state().streams.push(queue, [] {}, {event->point});
    return cudaSuccess;
  });
}

cudaError_t cudaLaunchHostFunc(cudaStream_t stream, void (*function)(void*), void* data) {
  return with_queue(stream, [&](const auto& queue) {
    if (!function) return cudaErrorInvalidValue;
    state().streams.push(queue, [=] {
      const HostCode code;
      function(data);
    });
    return cudaSuccess;
  });
}

cudaError_t cudaEventCreate(cudaEvent_t* event) { return cudaEventCreateWithFlags(event, cudaEventDefault); }

cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned flags) {
  return call([&] {
    *event = new CUevent_st;
    (*event)->timed = !(flags & cudaEventDisableTiming);
    return cudaSuccess;
  });
}

cudaError_t cudaEventDestroy(cudaEvent_t event) {
  return quiet_call([&] {
    if (!event) return cudaErrorInvalidResourceHandle;
    delete event;
    return cudaSuccess;
  });
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
  return with_queue(stream, [&](const auto& queue) {
    if (!event) return cudaErrorInvalidResourceHandle;
    event->passed = std::make_shared<std::chrono::steady_clock::time_point>();
    state().streams.push(queue, [passed = event->passed] {
      tsan::ignore(); // of the clock's own variables, on a stack that the stream shares with the host
      *passed = std::chrono::steady_clock::now();
      tsan::watch();
    });
    event->point = {queue, queue->queued()};
    return cudaSuccess;
  });
}

cudaError_t cudaEventSynchronize(cudaEvent_t event) {
  return call([&] {
    if (!event) return cudaErrorInvalidResourceHandle;
    if (event->point.queue) state().streams.synchronize(event->point.queue, event->point.number);
    return cudaSuccess;
  });
}

cudaError_t cudaEventQuery(cudaEvent_t event) {
  return call([&] {
    if (!event) return cudaErrorInvalidResourceHandle;
    const auto& [queue, number] = event->point;
    if (!queue) return cudaSuccess;
    if (queue->done() < number) state().streams.synchronize(queue, queue->done() + 1);
    if (queue->done() < number) return cudaErrorNotReady;
    queue->acquire(number);
    return cudaSuccess;
  });
}

cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t start, cudaEvent_t end) {
  return call([&] {
    if (!start || !end || !start->timed || !end->timed || !start->passed || !end->passed)
      return cudaErrorInvalidResourceHandle;
    for (const cudaEvent_t event : {start, end})
      if (event->point.queue->done() < event->point.number) return cudaErrorNotReady;
    *milliseconds = std::chrono::duration<float, std::milli>(*end->passed - *start->passed).count();
    return cudaSuccess;
  });
}
