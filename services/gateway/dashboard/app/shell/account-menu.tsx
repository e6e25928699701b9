import { type ReactNode, type ToggleEvent, useId } from 'react';
import { session } from '../session.ts';
import { forgetAllEdits } from '../ui/kept-edits.ts';

function focusItem({ newState, currentTarget }: ToggleEvent<HTMLElement>): void {
  if (newState === 'open') currentTarget.querySelector<HTMLElement>('[role=menuitem]')?.focus();
}

/** The employee's name, and what concerns the session. */
export function AccountMenu(): ReactNode {
  const id = useId();
  return (
    <div className="account-menu">
      <button type="button" className="plain" popoverTarget={id} aria-haspopup="menu">
        {session.name || session.email}
      </button>
      <div id={id} popover="auto" role="menu" aria-label={session.name || session.email} onToggle={focusItem}>
        <p className="soft" role="none">
          {session.email}
        </p>
        <form method="post" action="/signout" role="none" onSubmit={forgetAllEdits}>
          <input type="hidden" name="form_token" value={session.signOutToken} />
          <button role="menuitem" className="plain">
            Sign out
          </button>
        </form>
      </div>
    </div>
  );
}
