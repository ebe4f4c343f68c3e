import { useRef, useState } from 'react'
import { ownAddress } from '../../lib/own-address.ts'
import { useApiQuery } from '../api-queries.ts'

/** A signed link is renewed before it expires, so that the picture can still be opened. */
const renewMilliseconds = 4 * 60_000

/** A picture of a formatted message; without it, its description. */
export function MessagePicture({ id, alt }: { id: number; alt: string }) {
  const [isMissing, setIsMissing] = useState(false)
  const { data: href, isError } = useApiQuery(
    '/api/tickets/attachment-link',
    { id },
    { staleTime: renewMilliseconds, refetchInterval: renewMilliseconds, select: ({ url }) => ownAddress(url) }
  )
  // A newer link would load the same picture again.
  const source = useRef<string>(undefined)
  source.current ??= href
  if (isMissing || isError) return <span className="missing">{alt}</span>
  return (
    <a className="picture" href={href} target="_blank" rel="noopener">
      {source.current && <img src={source.current} alt={alt} onError={() => setIsMissing(true)} />}
    </a>
  )
}
