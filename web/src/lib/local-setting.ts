import { createStore, useStore } from './store.ts'

// Settings that this browser keeps in its local storage. All its windows follow.

const changes = createStore(0)
addEventListener('storage', changed)

export function localSetting(key: string): string | null {
  return localStorage.getItem(key)
}

export function useLocalSetting(key: string): string | null {
  return useStore(changes, () => localSetting(key))
}

export function setLocalSetting(key: string, value: string): void {
  localStorage.setItem(key, value)
  changed()
}

function changed(): void {
  changes.set(changes.get() + 1)
}
