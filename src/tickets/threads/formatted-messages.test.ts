import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deskWithMailServer } from '../../../test/support/desk-with-mail-server.ts'
import { aClient, aSupporter } from '../../../test/support/people.ts'
import { aFile, aTicket, form, storedFiles } from '../../../test/support/tickets.ts'

const { desk, admin, mailsTo } = await deskWithMailServer()
const ada = await aClient(desk, { is_email_verified: true })
const grace = await aSupporter(desk, 'tickets.view_all', 'tickets.reply')
const pixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64'
)
const aPicture = (name: string) => aFile(name, new Uint8Array(pixel), 'image/png')

function detailOf(asker: object, id: number) {
  const path = asker === ada ? '/api/tickets/detail' : '/api/admin/tickets/detail'
  return desk.post(path, asker as typeof ada, { id }).then(answer => answer.data)
}

test('a reply in Markdown stays as typed in message, and has its HTML beside it: in the answer, the detail and the portal', async () => {
  const { ticket_id: id } = await aTicket(desk, ada)
  const typed = 'Please **wait**:\n\n1. one\n2. [two](https://help.example)'
  const html =
    '<p>Please <strong>wait</strong>:</p>\n<ol>\n<li>one</li>\n<li><a href="https://help.example" rel="noopener noreferrer nofollow" target="_blank">two</a></li>\n</ol>'

  for (const [path, asker] of [
    ['/api/admin/tickets/reply', grace],
    ['/api/tickets/reply', grace],
    ['/api/tickets/reply', ada]
  ] as const) {
    const { status, data } = await desk.post(path, asker, { id, message: typed, format: 'markdown' })

    assert.deepEqual([status, data.message, data.html], [201, typed, html])
    for (const reader of [admin, ada]) {
      const shown = (await detailOf(reader, id)).messages.at(-1)
      assert.deepEqual([shown.message, shown.format, shown.html], [typed, 'markdown', html])
    }
  }
})

test('new tickets and notes may be formatted as well', async () => {
  const message = 'It is *cold*.'
  const opened = await aTicket(desk, ada, { message, format: 'markdown' })
  const body = { client_id: ada.id, department_id: 1, subject: 'Cold', message, format: 'markdown' }
  const openedByStaff = (await desk.post('/api/admin/tickets/create', grace, body)).data
  const note = await desk.post('/api/admin/tickets/note', grace, {
    id: opened.ticket_id,
    note: message,
    format: 'markdown'
  })

  const html = '<p>It is <em>cold</em>.</p>'
  assert.deepEqual([note.data.note.note, note.data.note.html], [message, html])
  const shown = await detailOf(admin, opened.ticket_id)
  assert.deepEqual([shown.messages[0].html, shown.notes[0].html, shown.notes[0].format], [html, html, 'markdown'])
  assert.equal((await detailOf(ada, openedByStaff.ticket.id)).messages[0].html, html)
})

test('what came plain is never read as Markdown, and has no HTML', async () => {
  const { ticket_id: id } = await aTicket(desk, ada, { message: 'a *b* c' })
  await desk.post('/api/tickets/reply', ada, { id, message: '**No**', format: 'plain' })
  const { data } = await desk.post('/api/admin/tickets/reply', grace, { id, message: '- none' })
  await desk.post('/api/admin/tickets/note', grace, { id, note: '# none' })

  assert.equal('html' in data, false)
  const { messages, notes } = await detailOf(admin, id)
  for (const each of [...messages, ...notes]) assert.deepEqual(['html' in each, 'format' in each], [false, false])
})

test('a text that is too long to be formatted, or another format, is refused, and nothing is written', async () => {
  const { ticket_id: id } = await aTicket(desk, ada)
  const before = [await desk.rowCounts(), await storedFiles(desk)]
  const long = 'ä'.repeat(50_001)
  const bodies = [
    ['/api/admin/tickets/reply', { id, message: long, format: 'markdown' }, 'message'],
    ['/api/admin/tickets/note', { id, note: long, format: 'markdown' }, 'note'],
    ['/api/admin/tickets/reply', { id, message: 'x', format: 'html' }, 'format']
  ] as const

  for (const [path, body, field] of bodies) {
    const refused = await desk.post(path, grace, form(body, aFile('a.txt')))
    assert.deepEqual([refused.status, refused.body.errors], [400, [field]])
  }
  assert.deepEqual([await desk.rowCounts(), await storedFiles(desk)], before)
  assert.equal((await desk.post('/api/admin/tickets/reply', grace, { id, message: long })).status, 201)
})

test('a picture that the text names is shown by its address, and goes with the e-mail as an inline part', async () => {
  const { ticket_id: id } = await aTicket(desk, ada)
  await mailsTo(ada.email)
  const message = 'See **here**:\n\n![the relay](shot.png)\n\n> quoted'
  const body = form({ id, message, format: 'markdown' }, aPicture('shot.png'), aFile('log.txt'))
  const { data } = await desk.post('/api/admin/tickets/reply', admin, body)
  const [mail] = await mailsTo(ada.email)

  const [shot] = data.attachments
  assert.ok(data.html.includes(`<img src="${shot.file_path}" alt="the relay" />`), data.html)
  const { text, html, attachments } = mail!.email
  assert.ok(text!.includes(message), text)
  assert.match(html!, /See <strong>here<\/strong>/)
  assert.match(html!, /<blockquote style=/)
  const [, contentId] = /<img style="[^"]*" src="cid:([^"]+)" alt="the relay"/.exec(html!) ?? []
  assert.equal(contentId, `file-${shot.id}@deskline`)
  const namedAs = new Map(attachments.map(({ filename, contentId }) => [filename, contentId]))
  assert.deepEqual([namedAs.get('shot.png'), namedAs.get('log.txt')], [`<${contentId}>`, undefined])
  assert.doesNotMatch(html!, /uploads/)
})

test('of a picture that cannot go along, the e-mail has the description', async () => {
  const { ticket_id: id } = await aTicket(desk, ada)
  await mailsTo(ada.email)
  const body = form({ id, message: '![the relay](shot.png)', format: 'markdown' }, aPicture('shot.png'))
  const { data } = await desk.post('/api/admin/tickets/reply', admin, body)
  await desk.services.files.discard([{ path: data.attachments[0].file_path }])
  const [mail] = await mailsTo(ada.email)

  assert.match(mail!.email.html!, /<p style="[^"]*">the relay<\/p>/)
  assert.doesNotMatch(mail!.email.html!, /cid:file/)
})

test('lists show the words of a formatted message without its marks; the search finds them', async () => {
  const { ticket_id: id } = await aTicket(desk, ada)
  const message = '**Kilowatt** & `a<b` *zähl*er\n\n- [meter](https://help.example/x)'
  await desk.post('/api/tickets/reply', ada, { id, message, format: 'markdown' })
  await desk.post('/api/admin/tickets/note', grace, { id, note: '**Zylinderkopf**', format: 'markdown' })

  const { data } = await desk.post('/api/admin/tickets/list', admin, {})
  const found = await desk.post('/api/admin/search', admin, { query: 'kilowatt meter' })
  const noted = await desk.post('/api/admin/search', admin, { query: 'zylinderkopf' })

  assert.equal(data.tickets.find((row: { id: number }) => row.id === id).snippet, 'Kilowatt & a<b zähler meter')
  for (const { data } of [found, noted]) assert.equal(JSON.stringify(data).includes(`"id":${id}`), true)
})
