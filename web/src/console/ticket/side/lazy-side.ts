import { lazyPart } from '../../../app/lazy-part.ts'

export const SidePane = lazyPart(async () => ({ default: (await import('./side-pane.tsx')).SidePane }))
export const NewSide = lazyPart(async () => ({ default: (await import('./new-side.tsx')).NewSide }))
