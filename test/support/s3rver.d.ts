declare module 's3rver' {
  import type { RequestListener } from 'node:http'

  export interface S3rverContext {
    method: string
    path: string
    query: Record<string, string>
    status: number
    body: unknown
  }

  interface Listed {
    objects: { key: string; size: number; lastModifiedDate: Date }[]
    isTruncated: boolean
  }

  export default class S3rver {
    constructor(options: { directory: string; silent: boolean })
    middleware: ((context: S3rverContext, next: () => Promise<void>) => Promise<void>)[]
    store: {
      listObjects(bucket: string, options: { prefix: string; startAfter: string; maxKeys: number }): Promise<Listed>
    }
    callback(): RequestListener
  }
}
