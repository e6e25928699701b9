import { type ReactNode, useEffect, useRef } from 'react';
import { Link } from 'wouter';
import { classes } from './classes.ts';
import { MEDIUM } from './icon.ts';
import { ChevronLeft } from './icons/index.ts';
import styles from './page.module.css';
import text from './text.module.css';

/** The path whose heading was focused last; the browser itself announces the first page. */
let announcedPath: string | undefined;

/** The heading of a page, which gets the focus after a navigation; its text is the title of the window. */
export function PageHeading(props: { title: string; className?: string | undefined; children?: ReactNode }): ReactNode {
  const heading = useRef<HTMLHeadingElement>(null);
  useTitle(props.title);
  useEffect(() => {
    const isFirst = announcedPath === undefined;
    // A page that has loaded replaces its failure: a user who is already working is not interrupted.
    const isNew = announcedPath !== location.pathname || document.activeElement === document.body;
    announcedPath = location.pathname;
    if (!isFirst && isNew) heading.current?.focus({ preventScroll: true });
  }, []);
  return (
    <h1 ref={heading} tabIndex={-1} className={classes(styles['title'], props.className)}>
      {props.children ?? <bdi>{props.title}</bdi>}
    </h1>
  );
}

/** A page: a bar with its title and actions, and what scrolls below it; `aside` is a second pane at the right. */
export function Page(props: {
  title: string;
  /** The page has its `PageHeading` further below; the bar names the parent page instead. */
  titleBelow?: boolean;
  /** After the title, such as a choice of the view. */
  beside?: ReactNode;
  actions?: ReactNode;
  /** The parent page. */
  back?: { readonly href: string; readonly label: string };
  /** Below the bar, in sight while the page scrolls, such as filters. */
  toolbar?: ReactNode;
  /** Over the whole width above the panes, such as figures. */
  strip?: ReactNode;
  aside?: ReactNode;
  /** Forms and texts are narrower than tables. */
  width?: 'full' | 'text';
  children: ReactNode;
}): ReactNode {
  return (
    <div className={styles['page']}>
      <div className={styles['bar']}>
        {props.back && (
          <Link
            href={props.back.href}
            className={classes(styles['back'], props.titleBelow && styles['named'])}
            aria-label={props.back.label}
          >
            <ChevronLeft {...MEDIUM} />
            {props.titleBelow && <span>{props.back.label}</span>}
          </Link>
        )}
        {!props.titleBelow && <PageHeading title={props.title} />}
        {props.beside}
        {props.actions && <div className={styles['actions']}>{props.actions}</div>}
      </div>
      {props.toolbar && <div className={styles['toolbar']}>{props.toolbar}</div>}
      <div className={classes(styles['rest'], Boolean(props.strip) && styles['with-strip'])}>
        {props.strip}
        <div className={styles['panes']}>
          <div className={classes(styles['body'], props.width === 'text' && styles['text'])} data-scroller>
            <div className={styles['content']}>{props.children}</div>
          </div>
          {props.aside && <div className={styles['aside']}>{props.aside}</div>}
        </div>
      </div>
    </div>
  );
}

/** A part of a page with a heading. */
export function Section(props: {
  title: string;
  description?: ReactNode;
  actions?: ReactNode;
  children: ReactNode;
}): ReactNode {
  return (
    <section className={styles['section']} aria-label={props.title}>
      <div className={styles['section-head']}>
        <div>
          <h2>{props.title}</h2>
          {props.description && <p className={text['meta']}>{props.description}</p>}
        </div>
        {props.actions}
      </div>
      {props.children}
    </section>
  );
}

function useTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} – Parley`;
  }, [title]);
}
