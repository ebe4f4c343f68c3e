import { baseKeymap, chainCommands } from 'prosemirror-commands'
import { history, redo, undo } from 'prosemirror-history'
import { InputRule, inputRules, textblockTypeInputRule, undoInputRule, wrappingInputRule } from 'prosemirror-inputrules'
import { keymap } from 'prosemirror-keymap'
import type { MarkType } from 'prosemirror-model'
import type { Command, Plugin } from 'prosemirror-state'
import { addressOf } from '../../lib/safe-links.ts'
import {
  endCode,
  formatCommands,
  indent,
  insertBreak,
  leaveDown,
  outdent,
  plainAtStart,
  splitItem
} from './commands.ts'
import { marks, nodes } from './schema.ts'

/** What the keys of the field do, what typed marks turn into, and what Ctrl Z undoes. Tab leaves the field. */
export function editorPlugins({ onLink, onBar }: { onLink: Command; onBar: Command }): Plugin[] {
  return [
    typedMarks(),
    keymap({
      'Mod-b': formatCommands.bold,
      'Mod-i': formatCommands.italic,
      'Mod-e': formatCommands.code,
      'Mod-Shift-k': onLink,
      'Mod-Shift-7': formatCommands.numbered,
      'Mod-Shift-8': formatCommands.list,
      'Mod-Shift-9': formatCommands.quote,
      'Mod-Shift-f': onBar,
      'Mod-]': indent,
      'Mod-[': outdent,
      // Right after marks have turned into a format, both give them back as they were typed.
      'Mod-z': chainCommands(undoInputRule, undo),
      Backspace: chainCommands(undoInputRule, plainAtStart),
      'Mod-y': redo,
      'Mod-Shift-z': redo,
      Enter: chainCommands(endCode, splitItem),
      'Shift-Enter': insertBreak,
      ArrowDown: leaveDown
    }),
    keymap(baseKeymap),
    history()
  ]
}

function typedMarks(): Plugin {
  return inputRules({
    rules: [
      markRule(/(^|[\s([{„“"'–—-])\*\*([^*\s]|[^*\s][^*]*[^*\s])\*\*$/u, marks.strong!),
      markRule(/(^|[\s([{„“"'–—-])__([^_\s]|[^_\s][^_]*[^_\s])__$/u, marks.strong!),
      markRule(/(^|[\s([{„“"'–—-])\*([^*\s]|[^*\s][^*]*[^*\s])\*$/u, marks.em!),
      markRule(/(^|[\s([{„“"'–—-])_([^_\s]|[^_\s][^_]*[^_\s])_$/u, marks.em!),
      markRule(/(^|[\s([{„“"'–—-])`([^`]+)`$/u, marks.code!),
      linkRule(),
      wrappingInputRule(/^\s*>\s$/, nodes.blockquote!),
      wrappingInputRule(/^\s*[-+*]\s$/, nodes.bullet_list!),
      wrappingInputRule(
        /^(\d{1,2})\.\s$/,
        nodes.ordered_list!,
        ([, number]) => ({ start: Number(number) }),
        ([, number], list) => list.childCount + list.attrs.start === Number(number)
      ),
      textblockTypeInputRule(/^```$/, nodes.code_block!),
      textblockTypeInputRule(/^(#{1,6})\s$/, nodes.heading!, ([, hashes]) => ({ level: hashes!.length }))
    ]
  })
}

/** The second group of the pattern gets the mark, and what stands around it goes. The first one stays. */
function markRule(pattern: RegExp, type: MarkType): InputRule {
  return new InputRule(pattern, (state, [whole, lead, words], start, end) => {
    const from = start + lead!.length
    const width = (whole!.length - lead!.length - words!.length) / 2
    const { tr } = state
    // The last character is not there yet.
    tr.delete(from + width + words!.length, end)
    tr.delete(from, from + width)
    tr.addMark(from, from + words!.length, type.create())
    return tr.removeStoredMark(type)
  })
}

function linkRule(): InputRule {
  return new InputRule(/\[([^[\]]+)\]\(([^()\s]+)\)$/, (state, [, words, address], start, end) => {
    const href = addressOf(address!)
    if (!href) return null
    const { tr } = state
    tr.delete(start + 1 + words!.length, end)
    tr.delete(start, start + 1)
    tr.addMark(start, start + words!.length, marks.link!.create({ href }))
    return tr.removeStoredMark(marks.link!)
  })
}
