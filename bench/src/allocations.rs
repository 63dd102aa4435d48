//! Counts allocations. The count repeats exactly, unlike a time.

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

#[global_allocator]
static ALLOCATOR: Counting = Counting;

static COUNT: AtomicU64 = AtomicU64::new(0);

/// How often `run` allocates, growing counted like a new allocation.
pub fn count(run: impl FnOnce()) -> u64 {
    let before = COUNT.load(Relaxed);
    run();
    COUNT.load(Relaxed) - before
}

/// The system's allocator, counted.
struct Counting;

/// The program has one thread, so a load and a store do; a locked addition would be felt in the times.
fn one_more() {
    COUNT.store(COUNT.load(Relaxed) + 1, Relaxed);
}

// SAFETY: every call is passed on as it came.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        one_more();
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        one_more();
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn realloc(&self, at: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        one_more();
        unsafe { System.realloc(at, layout, size) }
    }

    unsafe fn dealloc(&self, at: *mut u8, layout: Layout) {
        unsafe { System.dealloc(at, layout) }
    }
}
