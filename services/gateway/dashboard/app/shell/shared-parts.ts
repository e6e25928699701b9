/**
 * What the inbox, which is the first page, shares with other sections. Imported by the shell it is part of the shell's one file
 * (`src/one-core.ts`); otherwise esbuild would make a file of some hundred bytes for each set of sections that share a module, and a
 * browser loads six files at a time.
 */
import '../api/thread-preview.ts';
import '../inbox/activity-item.tsx';
import '../inbox/activity-queries.ts';
import '../inbox/mentions.ts';
import '../inbox/person-pane.tsx';
import '../inbox/use-draft.ts';
import '../phone/call-button.tsx';
import '../settings/push-browser.ts';
import '../ui/load-more.tsx';
import '../ui/search-field.tsx';
import '../ui/segments.tsx';
import '../ui/time.tsx';
import '../ui/use-filters.ts';
