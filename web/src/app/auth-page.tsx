import type { ReactNode } from 'react'
import { LogoMark } from '../ui/logo.tsx'
import { SkipLink } from '../ui/skip-link.tsx'
import './sign-in-form.css'

interface AuthPageProps {
  /** Below the card. */
  foot?: ReactNode
  children: ReactNode
}

/** The frame of pages for people who are not signed in: one card in the middle. */
export function AuthPage({ foot, children }: AuthPageProps) {
  return (
    <>
      <SkipLink />
      <main className="auth" id="main" tabIndex={-1}>
        <div className="auth-card">
          <div className="auth-brand">
            <LogoMark size={28} />
            <span>Deskline</span>
          </div>
          {children}
          {foot && <p className="auth-foot">{foot}</p>}
        </div>
      </main>
    </>
  )
}
