/**
 * What the lists and forms of several sections share. Imported by the shell it is part of the
 * shell's one file (`vite.config.ts`); otherwise there would be a file of some hundred bytes for each set of sections that share a
 * module, and a browser loads six files at a time.
 */
import '../api/next-page.ts';
import '../api/own-path.ts';
import '../api/thread-preview.ts';
import '../calls/callback-badge.tsx';
import '../calls/outcome.tsx';
import '../i18n/zoned-time.ts';
import '../live/use-employees.ts';
import '../numbers/business-number-queries.ts';
import '../phone/call-button.tsx';
import '../settings/push-browser.ts';
import '../team/employee-queries.ts';
import '../ui/checkbox.tsx';
import '../ui/form.tsx';
import '../ui/load-more.tsx';
import '../ui/search-field.tsx';
import '../ui/segments.tsx';
import '../ui/table.tsx';
import '../ui/time.tsx';
import '../ui/use-filters.ts';
import '../ui/use-unsaved-form.ts';
import '../ui/use-submit.ts';
import '../ui/virtual-rows.tsx';
