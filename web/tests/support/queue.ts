import { expect, type Locator, type Page } from '@playwright/test'
import type { Desk, Person } from './desk.ts'

/** A department of one test alone: what else happens on the desk is not in its list. */
export async function queueOf(desk: Desk, name: string) {
  const { department } = await desk.post('/api/admin/departments/create', { name: `${name} ${Date.now()}` }, desk.admin)
  const { deptid } = department
  return {
    deptid,
    name: department.name,
    path: `/desk/department-${deptid}`,
    /** Opens a ticket for each subject; the last one is on top of the list. */
    async tickets(client: Person, ...subjects: string[]) {
      const opened = []
      for (const subject of subjects)
        opened.push(await desk.ticket(client, { deptid, subject, message: `${subject}: it began today.` }))
      return opened
    }
  }
}

/** The list of tickets, and a row of it by its subject. */
export function listIn(page: Page): { rows: Locator; row(subject: string): Locator; subjects(): Promise<string[]> } {
  const rows = page.locator('[data-ticket]')
  return {
    rows,
    row: subject => rows.filter({ hasText: subject }),
    subjects: async () => await rows.locator('b').allInnerTexts()
  }
}

/** Waits until the list is these, from the top. */
export async function expectSubjects(page: Page, ...subjects: string[]): Promise<void> {
  await expect.poll(() => listIn(page).subjects()).toEqual(subjects)
}

/** Waits for the next second: rows of the same second keep their order in the page, whichever changed last. */
export async function nextSecond(): Promise<void> {
  const second = Math.floor(Date.now() / 1000)
  await expect.poll(() => Math.floor(Date.now() / 1000)).toBeGreaterThan(second)
}
