import { type ReactNode, useEffect, useState } from 'react'
import './skeleton.css'

const widths = ['w1', 'w2', 'w3', 'w4']

/** Bars in the shape of what comes: lines of text, or rows of two lines. The region around it is `aria-busy`. */
export function Skeleton({ lines, rows }: { lines?: number; rows?: number }) {
  if (rows)
    return Array.from({ length: rows }, (_, row) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: bars do not move.
      <div className="sk-row" key={row}>
        <div className="sk" />
        <div className={`sk ${widths[row % 4]}`} />
        <div className="sk" />
        <div className={`sk ${widths[(row + 1) % 4]}`} />
        <div className="sk" />
      </div>
    ))
  return (
    <div className="sk-lines">
      {Array.from({ length: lines ?? 3 }, (_, line) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: bars do not move.
        <div className={`sk ${widths[line % 4]}`} key={line} />
      ))}
    </div>
  )
}

/** Nothing for 150 ms: what is there at once shows without a flash. At the start the skeleton of the document goes on in this one. */
export function Delayed({ children }: { children: ReactNode }) {
  const [isLate, setIsLate] = useState(() => document.querySelector('.starting') !== null)
  useEffect(() => {
    const timer = setTimeout(() => setIsLate(true), 150)
    return () => clearTimeout(timer)
  }, [])
  return isLate ? children : null
}
