import { useSyncExternalStore } from 'react'

/** A value outside of React that components follow with `useStore`. */
export interface Store<T> {
  get(): T
  set(next: T): void
  /** Calls `changed` after each `set`. Returns the function that stops it. */
  watch(changed: () => void): () => void
}

export function createStore<T>(initial: T): Store<T> {
  let value = initial
  const watchers = new Set<() => void>()
  return {
    get: () => value,
    set(next) {
      value = next
      for (const changed of watchers) changed()
    },
    watch(changed) {
      watchers.add(changed)
      return () => watchers.delete(changed)
    }
  }
}

/** The value of a store, or what `select` takes from it. `select` must return the same object as long as nothing has changed. */
export function useStore<T>(store: Store<T>): T
export function useStore<T, Selected>(store: Store<T>, select: (value: T) => Selected): Selected
export function useStore<T>(store: Store<T>, select: (value: T) => unknown = value => value): unknown {
  return useSyncExternalStore(store.watch, () => select(store.get()))
}
