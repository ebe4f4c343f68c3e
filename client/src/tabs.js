import { delay } from './delays-and-timeouts.js'

/** How long a window keeps the lock after telling the others, so that the next one has received the message. */
const handOverMilliseconds = 30

/**
 * The windows of this browser that show pages of the same desk for the same population: they take turns, and tell one another.
 *
 * @template Message
 * @param {string} name that they share
 * @param {(message: Message) => void} listen is told what the others tell
 */
export function connectTabs(name, listen) {
  const channel = typeof BroadcastChannel === 'undefined' ? undefined : new BroadcastChannel(name)
  channel?.addEventListener('message', ({ data }) => listen(data))
  // In Node.js it would keep the program running.
  if (channel && 'unref' in channel) /** @type {{ unref(): void }} */ (/** @type {unknown} */ (channel)).unref()

  return {
    /** @param {Message} message */
    tell(message) {
      channel?.postMessage(message)
    },

    /**
     * Works while no other window does. A page that came without TLS has no locks: the service bears two that work at once.
     *
     * @template T
     * @param {(hadToWait: boolean) => Promise<T>} work is told whether another window had its turn until now
     * @returns {Promise<T>}
     */
    async alone(work) {
      const locks = globalThis.navigator?.locks
      if (!locks) return await work(false)
      return await new Promise((resolve, reject) => {
        /** @param {boolean} hadToWait */
        const turn = async hadToWait => {
          await work(hadToWait).then(resolve, reject)
          await delay(handOverMilliseconds)
        }
        locks
          .request(name, { ifAvailable: true }, lock => (lock ? turn(false) : locks.request(name, () => turn(true))))
          .catch(reject)
      })
    }
  }
}
