import { RichText } from '../../app/rich-text/rich-text.tsx'
import styles from './messages.module.css'
import type { Note } from './thread-types.ts'

// The same pattern as in the service.
const mention = /(?<![\p{L}\p{N}._+-])(@[\p{L}\p{N}][\p{L}\p{M}\p{N}._+'’-]*)/u

/** The text of a note with highlighted mentions. */
export function NoteText({ note }: { note: Note }) {
  return <RichText text={note.note} html={note.html} files={note.attachments} mark={markMentions} />
}

function markMentions(text: string) {
  const pieces = text.split(mention)
  if (pieces.length === 1) return text
  return pieces.map((piece, at) =>
    at % 2 === 1 ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of a text do not move.
      <span key={at} className={styles.mention}>
        {piece}
      </span>
    ) : (
      piece
    )
  )
}
