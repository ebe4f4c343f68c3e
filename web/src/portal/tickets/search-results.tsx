import { FoundArticles } from './found-articles.tsx'
import { TicketSearchResults } from './ticket-search-results.tsx'

/** The tickets with these words, and below them the articles of the help centre. */
export function SearchResults({ words }: { words: string }) {
  return (
    <>
      <TicketSearchResults words={words} />
      <FoundArticles words={words} />
    </>
  )
}
