import type { JobHandlers } from '../../core/jobs.ts'
import type { Services } from '../../core/services.ts'
import { rescanStalled } from './rescan-stalled.ts'
import { scanAttachment } from './scan-attachment.ts'
import { sweepUploads } from './sweep-uploads.ts'

/** Longer than a request may take. */
const sweptAfterMilliseconds = 2 * 86_400_000

/** The job handlers of attachments. */
export function attachmentHandlers(services: Services): Pick<JobHandlers, 'scan-attachment' | 'sweep-uploads'> {
  return {
    'scan-attachment': ({ attachmentId }, attempt) => scanAttachment(services, attachmentId, attempt),
    'sweep-uploads': async () => {
      const rescanned = await rescanStalled(services)
      const swept = await sweepUploads(services, { olderThanMilliseconds: sweptAfterMilliseconds })
      services.log.info({ rescanned, swept }, 'Cleaned up the files')
    }
  }
}
