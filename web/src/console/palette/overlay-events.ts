// The palette and the sheet of shortcuts are loaded when they are first wanted: the shell asks for them by events.

export function openPalette(): void {
  dispatchEvent(new Event('deskline:palette'))
}

export function openShortcuts(): void {
  dispatchEvent(new Event('deskline:shortcuts'))
}
