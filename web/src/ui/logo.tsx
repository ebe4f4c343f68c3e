/** The mark of Deskline. */
export function LogoMark({ size = 20 }: { size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 24 24" aria-hidden="true">
      <rect x="1" y="1" width="22" height="22" rx="6.5" fill="var(--accent-fill)" />
      <circle cx="12" cy="6.4" r="1.5" fill="#fff" />
      <path d="M6.4 14a5.6 5.6 0 0 1 11.2 0z" fill="#fff" />
      <rect x="5.2" y="15.7" width="13.6" height="2.1" rx="1.05" fill="#fff" />
    </svg>
  )
}
