import { Fragment } from 'react'

/** A snippet of the search, in which ⟦ ⟧ enclose what was found. It is text: nothing in it becomes HTML. */
export function Marked({ snippet }: { snippet: string }) {
  return (
    <bdi>
      {snippet.split(/⟦([^⟧]*)⟧/).map((part, at) =>
        // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text are told apart by their place alone.
        at % 2 ? <mark key={at}>{part}</mark> : <Fragment key={at}>{part}</Fragment>
      )}
    </bdi>
  )
}
