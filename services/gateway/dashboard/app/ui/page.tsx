import { type ReactNode, useEffect, useRef } from 'react';

/** The first page is announced by the browser itself. */
let isFirstPage = true;

/** A page: its title in the window and as its heading, which gets the focus after a navigation. */
export function Page(props: { title: string; actions?: ReactNode; children: ReactNode }): ReactNode {
  const heading = useRef<HTMLHeadingElement>(null);
  useTitle(props.title);
  useEffect(() => {
    if (!isFirstPage) heading.current?.focus({ preventScroll: true });
    isFirstPage = false;
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
