import './kbd.css'

const isMac = /mac|iphone|ipad/i.test(navigator.platform)
const shownKeys: Record<string, string> = { Enter: '↵', ArrowUp: '↑', ArrowDown: '↓', ...(isMac && { Ctrl: '⌘' }) }

/** `Ctrl K` as two keys; ⌘ on machines that have it. */
export function Kbd({ keys }: { keys: string }) {
  return <Keys keys={keys} />
}

export function Keys({ keys }: { keys: string }) {
  return keys
    .split(' ')
    .map(key => <kbd key={key}>{shownKeys[key] ?? (key.length === 1 ? key.toUpperCase() : key)}</kbd>)
}
