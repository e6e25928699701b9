import type { ReactNode } from 'react';

/** Texts without any control: the keyboard scrolls what has the focus. */
export function ReadOnly(props: { label: string; children: ReactNode }): ReactNode {
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- otherwise the keyboard could not scroll the page
    <div role="group" aria-label={props.label} tabIndex={0}>
      {props.children}
    </div>
  );
}
