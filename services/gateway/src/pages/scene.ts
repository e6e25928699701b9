import { type Markup, markup } from '@parley/http';
import type { Visitor } from './visitor.ts';
import { t } from './words.ts';

const PHONE =
  'M22 16.92v3a2 2 0 0 1-2.18 2 19.79 19.79 0 0 1-8.63-3.07 19.5 19.5 0 0 1-6-6 19.79 19.79 0 0 1-3.07-8.67A2 2 0 0 1 4.11 2h3a2 2 0 0 1 2 1.72 12.84 12.84 0 0 0 .7 2.81 2 2 0 0 1-.45 2.11L8.09 9.91a16 16 0 0 0 6 6l1.27-1.27a2 2 0 0 1 2.11-.45 12.84 12.84 0 0 0 2.81.7A2 2 0 0 1 22 16.92z';

const phone = markup`<svg viewBox="0 0 24 24"><path d="${PHONE}"/></svg>`;

/** The waveform of the voicemail in the scene: bar heights in pixels. */
const LOUDNESS = [20, 12, 22, 16, 24, 18, 10, 6, 8, 14, 26, 20, 12, 8, 18, 22, 14, 10, 20, 12, 6, 12, 16, 8, 12, 18];
const PLAYED = 11;

/** Before the sign-in: the mark and the name of the product. */
export const brand: Markup = markup`<div class="brand"><svg viewBox="0 0 24 24" aria-hidden="true"><path d="M11 2.5v13a6.5 6.5 0 0 1 0-13Z"/>
<path d="M13 8.5v13a6.5 6.5 0 0 0 0-13Z" opacity=".62"/></svg>Parley</div>`;

/** A quiet scene from the product, beside the forms of people who are not signed in. */
export const scene = (visitor: Pick<Visitor, 'language'>): Markup => markup`<div class="scene" aria-hidden="true">
<div class="box call"><small class="line">${phone}${t(visitor, 'Main line is ringing')}</small><span class="face">MS</span><span><b>Mette Sørensen</b><small>${t(visitor, 'Order 4482 is ready for a test ride')}</small></span>
<span class="round no">${phone}</span><span class="round yes">${phone}</span></div>
<div class="box said"><span class="play"><svg viewBox="0 0 24 24"><path d="M6 4l14 8-14 8z"/></svg></span>
<svg class="wave" preserveAspectRatio="none" viewBox="0 0 ${LOUDNESS.length * 8} 28">${LOUDNESS.map(
  (height, index) =>
    markup`<rect x="${index * 8}" y="${(28 - height) / 2}" width="3" height="${height}" rx="1.5" opacity="${index < PLAYED ? '1' : '.32'}"/>`,
)}</svg><small>0:24</small>
<p>${t(visitor, 'Can I collect the bike after four today?')}</p></div>
<div class="sent"><span>${t(visitor, 'Yes, it is ready for you. We are open until half past five.')}</span>Bo · 11:58 · ${t(visitor, 'Delivered')}</div>
<p class="claim">${t(visitor, 'Calls, texts and voicemails of the whole team, in one place.')}</p></div>`;
