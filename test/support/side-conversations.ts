import assert from 'node:assert/strict'
import { deskWithMailServer } from './desk-with-mail-server.ts'
import { aMail } from './mails.ts'
import { aClient, aSupporter } from './people.ts'
import { aFile, aTicket, form } from './tickets.ts'

export type Given = Record<string, unknown>
export const partner = 'service@sungrid.example'
export const canary = 'QUINCE-4471'

/** A desk with a mail server, a client, and staff who forward tickets to a third party. */
export async function deskWithThirdParty() {
  const setting = await deskWithMailServer()
  const { desk, mailsTo } = setting
  const ada = await aClient(desk, { is_email_verified: true })
  const grace = await aSupporter(desk, 'tickets.view_all', 'tickets.reply', 'tickets.edit_status')

  async function forward(id: number, given: Given = {}, ...files: File[]) {
    const body = { id, to: [partner], subject: 'Error E-042', message: `Is it safe? ${canary}`, ...given }
    const {
      status,
      data,
      body: answer
    } = await desk.post('/api/admin/tickets/forward', grace, files.length ? form(body, ...files) : body)
    assert.equal(status, 201, answer.message)
    return data.conversation
  }

  async function detail(id: number) {
    return (await desk.post('/api/admin/tickets/conversations/detail', grace, { id })).data.conversation
  }

  /** The newest e-mail to the third party, and the address to which it is answered. */
  async function sentToPartner(address = partner) {
    const [mail] = await mailsTo(address)
    return { mail: mail!, replyTo: mail!.email.replyTo![0]!.address!, messageId: mail!.header('message-id')! }
  }

  const answer = (to: string, headers: Record<string, string | null> = {}, text = `Yes, it is. ${canary}\n`) =>
    aMail({ From: `Sungrid Service <${partner}>`, To: to, Subject: 'Re: Error E-042', ...headers }, text)

  async function ticketWithFile() {
    const { ticket_id: id, ticket_number: number } = await aTicket(desk, ada, { message: 'It shows E-042.' }, [
      aFile('log.txt')
    ])
    const { messages } = (await desk.post('/api/admin/tickets/detail', grace, { id })).data
    await mailsTo(ada.email)
    return { id, number, message: messages[0].id as number, file: messages[0].attachments[0].id as number }
  }

  return { ...setting, ada, grace, forward, detail, sentToPartner, answer, ticketWithFile }
}
