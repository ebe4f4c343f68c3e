/** The progress of a long command, on standard error: one line that is rewritten at a terminal, else an occasional line. */
export interface Progress {
  show(text: string): void
  /** Removes the line, so that others can be written. */
  clear(): void
}

const atTerminalMilliseconds = 100
const elsewhereMilliseconds = 10_000

export function progress(stream: NodeJS.WriteStream = process.stderr): Progress {
  // Only a terminal can rewrite a line.
  const rewrites = stream.isTTY && process.env.TERM !== 'dumb'
  const pause = rewrites ? atTerminalMilliseconds : elsewhereMilliseconds
  let shownAt = rewrites ? 0 : Date.now()
  let latest = ''
  let later: NodeJS.Timeout | undefined
  const write = () => {
    clearTimeout(later)
    later = undefined
    shownAt = Date.now()
    stream.write(rewrites ? `\r${latest.slice(0, Math.max(0, stream.columns - 1))}\x1b[K` : `${latest}\n`)
  }
  return {
    show(text) {
      latest = text
      const wait = shownAt + pause - Date.now()
      if (wait <= 0) write()
      // Otherwise a step that takes long would not be shown until the next one.
      else later ??= setTimeout(write, wait).unref()
    },
    clear() {
      clearTimeout(later)
      later = undefined
      if (rewrites) stream.write('\r\x1b[K')
    }
  }
}

/** 1234567 rows as "1,234,567 rows", one as "1 row". */
export function counted(count: number, noun: string): string {
  return `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`
}

/** Bytes as people read them, as in 1.2 GiB. */
export function readableBytes(bytes: number): string {
  const units = ['bytes', 'KiB', 'MiB', 'GiB', 'TiB']
  const power = bytes < 1024 ? 0 : Math.min(units.length - 1, Math.floor(Math.log2(bytes) / 10))
  return `${power === 0 ? bytes : (bytes / 1024 ** power).toFixed(1)} ${units[power]}`
}
