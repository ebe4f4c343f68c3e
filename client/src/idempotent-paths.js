export * from '../../docs/client/idempotent-paths.js'
