/**
 * The icons of Lucide (https://lucide.dev, see LICENSE) that pages use. Its package for React would be 45 MB of every installation.
 * For another icon, the elements of its SVG from there are added to one of these files.
 */
export * from './arrows.tsx';
export * from './communication.tsx';
export * from './general.tsx';
export * from './telephony.tsx';
