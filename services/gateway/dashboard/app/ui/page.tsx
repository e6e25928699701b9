import { type ReactNode, useEffect, useRef } from 'react';

/** Where the heading got the focus last; the first page is announced by the browser itself. */
let announcedPath: string | undefined;

/** A page: its title in the window and as its heading, which gets the focus after a navigation. */
export function Page(props: { title: string; actions?: ReactNode; children: ReactNode }): ReactNode {
  const heading = useRef<HTMLHeadingElement>(null);
  useTitle(props.title);
  useEffect(() => {
    const isFirst = announcedPath === undefined;
    // A page that has loaded takes the place of its failure: somebody who is already at work is not interrupted.
    const isNew = announcedPath !== location.pathname || document.activeElement === document.body;
    announcedPath = location.pathname;
    if (!isFirst && isNew) heading.current?.focus({ preventScroll: true });
  }, []);
  return (
    <>
      <div className="page-head">
        <h1 ref={heading} tabIndex={-1}>
          {props.title}
        </h1>
        {props.actions && <div className="actions">{props.actions}</div>}
      </div>
      {props.children}
    </>
  );
}

function useTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} – Parley`;
  }, [title]);
}
