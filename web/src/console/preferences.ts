import { useMemo } from 'react'
import { localSetting, setLocalSetting, useLocalSetting } from '../lib/local-setting.ts'

/** What happens to the ticket when a reply is sent. */
export interface SendChoice {
  status: 'Answered' | 'In Progress' | 'Closed'
  /** The next ticket of the list is opened afterwards. */
  opensNext: boolean
  /** The sender becomes the assignee if the ticket has none. */
  takes: boolean
  /** It ends the snooze of the ticket: chosen for one reply, not kept. */
  wakes?: boolean
}

const eventsKey = 'deskline:events'
const barKey = 'deskline:format-bar'
const plainKey = 'deskline:plain-text'
const sendKey = (me: number) => `deskline:send:${me}`
const usualChoice: SendChoice = { status: 'Answered', opensNext: false, takes: false }

/** Whether events such as "Mira set the status to Answered" are shown between the messages of a ticket. */
export function useEventsShown(): boolean {
  return useLocalSetting(eventsKey) !== 'hidden'
}

export function setEventsShown(areShown: boolean): void {
  setLocalSetting(eventsKey, areShown ? 'shown' : 'hidden')
}

/** Whether the bar for formatting stays below the text. Else it comes with what is selected. */
export function useHasFormatBar(): boolean {
  return useLocalSetting(barKey) === 'shown'
}

export function setFormatBar(isShown: boolean): void {
  setLocalSetting(barKey, isShown ? 'shown' : 'hidden')
}

/** Whether this person writes Markdown into a text area, in place of the field that shows formatting. */
export function useWritesPlain(): boolean {
  return useLocalSetting(plainKey) === 'on'
}

export function setWritesPlain(isOn: boolean): void {
  setLocalSetting(plainKey, isOn ? 'on' : 'off')
}

const asSentKey = (me: number) => `deskline:as-sent:${me}`
const maxSenders = 300

/** Whether this person looks at the e-mails of this sender as they were sent. Else at their text. */
export function useIsAsSent(me: number, sender: string): boolean {
  const kept = useLocalSetting(asSentKey(me))
  return useMemo(() => sendersIn(kept).includes(sender.toLowerCase()), [kept, sender])
}

export function setAsSent(me: number, sender: string, isAsSent: boolean): void {
  setSender(asSentKey(me), sender, isAsSent)
}

const picturesKey = (me: number) => `deskline:pictures:${me}`

/** Whether the pictures in the e-mails of this sender are loaded without asking. */
export function useLoadsPictures(me: number, sender: string): boolean {
  const kept = useLocalSetting(picturesKey(me))
  return useMemo(() => sendersIn(kept).includes(sender.toLowerCase()), [kept, sender])
}

export function setLoadsPictures(me: number, sender: string, loads: boolean): void {
  setSender(picturesKey(me), sender, loads)
}

/** Adds the sender to the kept list, or removes them. */
function setSender(key: string, sender: string, isKept: boolean): void {
  const name = sender.toLowerCase()
  const others = sendersIn(localSetting(key)).filter(other => other !== name)
  const senders = isKept ? [name, ...others] : others
  setLocalSetting(key, senders.slice(0, maxSenders).join('\n'))
}

function sendersIn(kept: string | null): string[] {
  return kept?.split('\n').filter(Boolean) ?? []
}

/** How this person sent last, which the button repeats. Other statuses than Answered need the permission to set one. */
export function useSendChoice(me: number, maySetStatus: boolean): SendChoice {
  const kept = useLocalSetting(sendKey(me))
  return useMemo(() => {
    const choice = choiceOf(kept)
    return maySetStatus ? choice : { ...choice, status: 'Answered' }
  }, [kept, maySetStatus])
}

export function changeSendChoice(me: number, changed: Partial<SendChoice>): void {
  const former = choiceOf(localSetting(sendKey(me)))
  setLocalSetting(sendKey(me), JSON.stringify({ ...former, ...changed }))
}

function choiceOf(kept: string | null): SendChoice {
  try {
    return { ...usualChoice, ...JSON.parse(kept ?? '{}') }
  } catch {
    return usualChoice
  }
}
