type Urgency = 'polite' | 'assertive'

/**
 * Says a sentence to people who hear the page: sent, failed, saved, undone, what arrived. Assertive only where something was stopped or the
 * session has ended. What is outside of a modal dialog is not heard while it is open, so the sentence is put into the topmost one.
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
