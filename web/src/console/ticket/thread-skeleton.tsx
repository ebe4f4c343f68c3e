import { Skeleton } from '../../ui/skeleton.tsx'
import styles from './thread-pane.module.css'

/** The placeholder of a thread that is being loaded. */
export function ThreadSkeleton() {
  return (
    <div className={styles.skeleton}>
      <Skeleton lines={2} />
      {[1, 2, 3].map(message => (
        <div key={message} className={styles.skeletonMessage}>
          <span className={styles.skeletonAvatar} />
          <Skeleton lines={3} />
        </div>
      ))}
    </div>
  )
}
