import { Fragment, type ReactNode } from 'react'
import { linkPieces, quoteParts } from '../lib/safe-links.ts'
import { t } from '../lib/strings.ts'
import './message-text.css'

/** Renders a message as text with line breaks, safe links and its own text direction, and folds quoted e-mail. It never renders HTML. */
export function MessageText({ text, mark = asIs }: { text: string; mark?: Mark }) {
  const { own, quoted } = quoteParts(text)
  return (
    <div className="message-text" dir="auto">
      <Paragraphs text={own} mark={mark} />
      {quoted && (
        <details>
          <summary>{t('ui.earlierText')}</summary>
          <Paragraphs text={quoted} mark={mark} />
        </details>
      )}
    </div>
  )
}

/** Renders a piece of text that is no link, for instance to mark mentions and search matches. */
type Mark = (piece: string) => ReactNode

function asIs(piece: string): ReactNode {
  return piece
}

function Paragraphs({ text, mark }: { text: string; mark: Mark }) {
  const paragraphs = text.split(/\n{2,}/)
  // biome-ignore lint/suspicious/noArrayIndexKey: the paragraphs of a message do not move.
  return paragraphs.map((paragraph, index) => <p key={index}>{linked(paragraph, mark)}</p>)
}

function linked(text: string, mark: Mark) {
  return linkPieces(text).map((piece, index) =>
    piece.href ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: neither do the pieces of a paragraph.
      <a key={index} href={piece.href} rel="noopener nofollow noreferrer" target="_blank">
        {piece.text}
      </a>
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: see above.
      <Fragment key={index}>{mark(piece.text)}</Fragment>
    )
  )
}
