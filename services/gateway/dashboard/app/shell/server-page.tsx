import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { useLocation } from 'wouter';
import { Failure } from '../ui/query-state.tsx';
import { NotFound } from '../ui/not-found.tsx';

interface Content {
  readonly path: string;
  readonly title: string;
  /** Made by our own server, from escaped text. */
  readonly html: string;
}

/** The page that came with the document, if the server rendered one. */
let initial: Content | undefined = readInitial();

/**
 * A page that the server renders, inside the application: the account's keys, sessions and security, which also work
 * without scripts. Its links and forms lead to the next such page without leaving the application, so a call goes on.
 */
export function ServerPage(): ReactNode {
  const [location, navigate] = useLocation();
  const path = `/dashboard${location}`;
  const [content, setContent] = useState(initial?.path === path ? initial : undefined);
  const [failure, setFailure] = useState<Error>();
  const container = useRef<HTMLDivElement>(null);

  useEffect(() => {
    initial = undefined;
    if (content?.path !== path) void load(path);
  }, [path]);
  useEffect(() => {
    if (!content) return;
    document.title = content.title;
    container.current
      ?.querySelector<HTMLElement>('[role=alert], [role=status], h1')
      ?.scrollIntoView({ block: 'nearest' });
  }, [content]);

  async function load(url: string, init?: RequestInit): Promise<void> {
    setFailure(undefined);
    try {
      const response = await fetch(url, { ...init, headers: { Accept: 'text/html' } });
      const at = new URL(response.url);
      const document = new DOMParser().parseFromString(await response.text(), 'text/html');
      const main = document.querySelector('main');
      // The sign-in page, or anything else that is not part of the application.
      if (!at.pathname.startsWith('/dashboard/') || !main) return globalThis.location.assign(at);
      setContent({ path: at.pathname, title: document.title, html: main.innerHTML });
      if (at.pathname !== path) navigate(at.pathname.slice('/dashboard'.length));
    } catch {
      setFailure(new Error('No connection to the server. Check your network and try again.'));
    }
  }

  function submit(event: FormEvent<HTMLDivElement>): void {
    const form = event.target as HTMLFormElement;
    const { submitter } = event.nativeEvent as SubmitEvent;
    event.preventDefault();
    const fields = new FormData(form, submitter);
    const body = new URLSearchParams([...fields].map(([name, value]) => [name, String(value)]));
    void load(form.action, { method: 'POST', body });
  }

  if (failure) return <Failure error={failure} onRetry={() => load(path)} />;
  if (!content) return <p className="soft">Loading…</p>;
  if (content.html.trim() === '') return <NotFound />;
  return (
    <div ref={container} className="server-page" onSubmit={submit} dangerouslySetInnerHTML={{ __html: content.html }} />
  );
}

function readInitial(): Content | undefined {
  const main = document.querySelector('#app > main');
  return main ? { path: location.pathname, title: document.title, html: main.innerHTML } : undefined;
}
