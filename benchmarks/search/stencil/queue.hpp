// A queue between threads that gives the job of the highest priority first, and among those the
// oldest.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <utility>

namespace stencil {

template <typename Item>
class PriorityQueue {
 public:
  void push(int priority, Item item) {
    {
      const std::lock_guard lock(mutex_);
      items_.emplace(std::pair(-priority, count_++), std::move(item));
    }
    more_.notify_one();
  }

  /// Nothing will be pushed after this.
  void close() {
    {
      const std::lock_guard lock(mutex_);
      closed_ = true;
    }
    more_.notify_all();
  }

  /// Waits for an item; nothing once the queue is closed and empty.
  [[nodiscard]] std::optional<Item> pop() {
    std::unique_lock lock(mutex_);
    more_.wait(lock, [&] { return closed_ || !items_.empty(); });
    if (items_.empty()) return std::nullopt;
    auto first = items_.extract(items_.begin());
    return std::move(first.mapped());
  }

 private:
  std::mutex mutex_;
  std::condition_variable more_;
  std::map<std::pair<int, std::int64_t>, Item> items_;
  std::int64_t count_ = 0;
  bool closed_ = false;
};

}  // namespace stencil
