import { failure } from '../../kit/errors.ts'

export const NothingToUndo = failure(
  409,
  'nothing_to_undo',
  'There is nothing to undo: you can undo only your own last change of a ticket, within 30 seconds'
)
export const ChangedSince = failure(409, 'changed_since', 'The ticket has been changed since')
export const UndoImpossible = failure(409, 'undo_impossible', 'This change can no longer be undone')
