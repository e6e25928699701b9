"""Writes the models: reads the input that generator/index.ts makes, as JSON, and writes Python."""

import json
import subprocess
import sys
import tempfile
from pathlib import Path

OPTIONS = [
    "--input-file-type=openapi",
    "--output-model-type=pydantic_v2.BaseModel",
    "--base-class=parley._model.Model",
    "--enum-field-as-literal=all",
    "--use-union-operator",
    "--use-standard-collections",
    "--target-python-version=3.11",
    "--disable-timestamp",
    "--use-field-description",
    "--use-schema-description",
    "--formatters=black",
]


def main() -> None:
    given = json.load(sys.stdin)
    with tempfile.TemporaryDirectory() as folder:
        source, target = Path(folder, "schemas.json"), Path(folder, "models.py")
        source.write_text(json.dumps(given["document"]))
        files = [f"--input={source}", f"--output={target}", f"--custom-file-header={given['firstLine']}"]
        command = [sys.executable, "-W", "ignore", "-m", "datamodel_code_generator", *OPTIONS, *files]
        subprocess.run(command, check=True, cwd=folder)
        text = target.read_text()
    text = text.replace("from parley._model import Model\n", "from parley._model import Model, UnknownEvent\n")
    text = text.replace("from typing import Any, Literal\n", "from typing import Any, Literal, TypeAlias\n")
    sys.stdout.write(text + given["end"])


main()
