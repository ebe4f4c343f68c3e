import { Fragment } from 'react'

/** A snippet of the search, in which ⟦ ⟧ enclose the matches. It is rendered as text: nothing in it becomes HTML. */
export function SearchSnippet({ text }: { text: string }) {
  return (
    <bdi>
      {text.split(/⟦([^⟧]*)⟧/).map((part, at) =>
        // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text are distinguished only by their position.
        at % 2 ? <mark key={at}>{part}</mark> : <Fragment key={at}>{part}</Fragment>
      )}
    </bdi>
  )
}
