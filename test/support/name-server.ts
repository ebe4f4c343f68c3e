import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { after } from 'node:test'

/** A name server with these texts and addresses: `{ 'TXT example.com': 'v=spf1 -all' }`. Of a name in `failing` it says that something is wrong. */
export async function nameServer(records: Record<string, string>, failing: readonly string[] = []) {
  const socket = createSocket('udp4')
  const asked: string[] = []
  socket.on('message', (query, { port, address }) => {
    const { name, type, end } = questionOf(query)
    asked.push(`${type} ${name}`)
    const answer = failing.includes(name)
      ? failureTo(query, end)
      : answerTo(query, end, type, records[`${type} ${name}`])
    socket.send(answer, port, address)
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  after(() => socket.close())
  return { address: `127.0.0.1:${(socket.address() as AddressInfo).port}`, asked }
}

const types: Record<number, string> = { 1: 'A', 16: 'TXT', 28: 'AAAA', 5: 'CNAME', 15: 'MX' }

function questionOf(query: Buffer): { name: string; type: string; end: number } {
  const labels: string[] = []
  let at = 12
  for (; query[at]; at += query[at]! + 1) labels.push(query.toString('latin1', at + 1, at + 1 + query[at]!))
  return { name: labels.join('.').toLowerCase(), type: types[query.readUInt16BE(at + 1)] ?? 'other', end: at + 5 }
}

function failureTo(query: Buffer, end: number): Buffer {
  const answer = answerTo(query, end, 'TXT', undefined)
  answer.writeUInt16BE(0x8182, 2)
  return answer
}

function answerTo(query: Buffer, end: number, type: string, record: string | undefined): Buffer {
  const head = Buffer.from(query.subarray(0, 12))
  head.writeUInt16BE(record === undefined ? 0x8183 : 0x8180, 2)
  head.writeUInt16BE(record === undefined ? 0 : 1, 6)
  head.writeUInt32BE(0, 8)
  if (record === undefined) return Buffer.concat([head, query.subarray(12, end)])
  const data =
    type === 'A'
      ? Buffer.from(record.split('.').map(Number))
      : Buffer.concat(
          record.match(/.{1,255}/g)!.map(text => Buffer.concat([Buffer.from([text.length]), Buffer.from(text)]))
        )
  const answer = Buffer.alloc(12)
  answer.writeUInt16BE(0xc00c, 0)
  answer.writeUInt16BE(query.readUInt16BE(end - 4), 2)
  answer.writeUInt16BE(1, 4)
  answer.writeUInt32BE(60, 6)
  answer.writeUInt16BE(data.length, 10)
  return Buffer.concat([head, query.subarray(12, end), answer, data])
}
