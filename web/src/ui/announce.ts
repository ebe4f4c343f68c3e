type Urgency = 'polite' | 'assertive'

/**
 * Announces a sentence to screen readers. Use `assertive` only if something was stopped or the session has ended. While a modal dialog is open,
 * nothing outside of it is read, so the sentence is put into the topmost dialog.
 */
export function announce(text: string, urgency: Urgency = 'polite'): void {
  const dialogs = document.querySelectorAll('dialog:modal')
  const region = regionIn(dialogs[dialogs.length - 1] ?? document.body, urgency)
  region.textContent = ''
  // The same sentence twice is said twice only when the region was empty between them, and a new region is listened to only later.
  setTimeout(() => {
    region.textContent = text
  }, 50)
}

function regionIn(host: Element, urgency: Urgency): Element {
  const there = host.querySelector(`:scope > [data-announcer="${urgency}"]`)
  if (there) return there
  const region = document.createElement('div')
  region.className = 'visually-hidden'
  region.dataset.announcer = urgency
  region.setAttribute('aria-live', urgency)
  region.setAttribute('role', urgency === 'polite' ? 'status' : 'alert')
  host.append(region)
  return region
}
