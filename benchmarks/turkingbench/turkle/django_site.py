"""Django site of Turkle, run as a script by a Python that has the package `turkle`: a server in a folder.

    python -I django_site.py FOLDER

The first line of standard input is an object with `username` and `password`; each further one a task: its
`title`, `template` and `inputs` (column to text), which becomes a project and a batch of one row. Each is
answered by a line: first `port` and `version`, then `batch`, or `error` where Turkle refuses the task. The
end of the input ends it. Only Django and Turkle are imported: nothing of ours is on its path.
"""

# Django and Turkle are in the packages of that Python alone, where pyright doesn't look.
# pyright: reportMissingImports=false

from __future__ import annotations

import csv
import io
import json
import os
import secrets
import sys
import threading
from pathlib import Path
from typing import Any

HOST = "127.0.0.1"
TEMPLATE_KB = 4096
"""Turkle's own limit is 64 KB, which some templates of the benchmark exceed."""

MOST_FIELDS = 20_000


def settings_in(folder: Path) -> dict[str, Any]:
    """Django's settings: a database in the folder, Turkle's own pages, and nothing that sends anything."""
    return {
        "DEBUG": True,
        "SECRET_KEY": secrets.token_urlsafe(32),
        "ALLOWED_HOSTS": [HOST],
        "DATABASES": {
            "default": {"ENGINE": "django.db.backends.sqlite3", "NAME": str(folder / "turkle.sqlite3")}
        },
        "INSTALLED_APPS": [
            *(f"django.contrib.{name}" for name in ("admin", "auth", "contenttypes", "sessions", "messages")),
            *(
                "django.contrib.humanize",
                "django.contrib.staticfiles",
                "guardian",
                "djaa_list_filter2",
                "turkle",
            ),
        ],
        "MIDDLEWARE": [
            "django.middleware.security.SecurityMiddleware",
            "django.contrib.sessions.middleware.SessionMiddleware",
            "django.middleware.common.CommonMiddleware",
            "django.middleware.csrf.CsrfViewMiddleware",
            "django.contrib.auth.middleware.AuthenticationMiddleware",
            "django.contrib.messages.middleware.MessageMiddleware",
            "django.middleware.clickjacking.XFrameOptionsMiddleware",
        ],
        "TEMPLATES": [
            {
                "BACKEND": "django.template.backends.django.DjangoTemplates",
                "APP_DIRS": True,
                "OPTIONS": {
                    "context_processors": [
                        "django.template.context_processors.request",
                        "django.contrib.auth.context_processors.auth",
                        "django.contrib.messages.context_processors.messages",
                        "turkle.utils.turkle_vars",
                    ]
                },
            }
        ],
        "AUTHENTICATION_BACKENDS": [
            "django.contrib.auth.backends.ModelBackend",
            "guardian.backends.ObjectPermissionBackend",
        ],
        "ROOT_URLCONF": __name__,
        "STATIC_URL": "/static/",
        "LOGIN_URL": "/accounts/login/",
        "LOGIN_REDIRECT_URL": "/",
        "USE_TZ": True,
        "TIME_ZONE": "UTC",
        "X_FRAME_OPTIONS": "SAMEORIGIN",
        "DEFAULT_AUTO_FIELD": "django.db.models.AutoField",
        "DATA_UPLOAD_MAX_NUMBER_FIELDS": MOST_FIELDS,
        "DATA_UPLOAD_MAX_MEMORY_SIZE": None,
        "TURKLE_TEMPLATE_LIMIT": TEMPLATE_KB,
        "TURKLE_AUTO_ACCEPT_DEFAULT": False,
        "TURKLE_EMAIL_ENABLED": False,
        "SILENCED_SYSTEM_CHECKS": ["guardian.W001"],
    }


urlpatterns: list[Any] = []
"""Of this module, which is Django's ROOT_URLCONF; filled once Django is set up."""


def set_up(folder: Path) -> None:
    """Django with Turkle's tables."""
    import django
    from django.conf import settings
    from django.core.management import call_command

    settings.configure(**settings_in(folder))
    django.setup()
    from django.contrib import admin
    from django.urls import include, path

    urlpatterns[:] = [
        path("", include("turkle.urls")),
        path("accounts/", include("django.contrib.auth.urls")),
        path("admin/", admin.site.urls),
    ]
    call_command("migrate", verbosity=0, interactive=False)


def add_batch(task: dict[str, Any]) -> dict[str, Any]:
    """A project with the template and a batch of the one row, as a requester would upload them."""
    from django.core.exceptions import ValidationError
    from turkle.models import Batch, Project

    project = Project(name=task["title"], html_template=task["template"])
    try:
        project.clean()
    except ValidationError as error:
        return {"error": "; ".join(error.messages)}
    project.save()
    batch = Batch(name=task["title"], project=project, filename="batch.csv")
    batch.save()
    rows = io.StringIO(newline="")
    writer = csv.writer(rows)
    writer.writerows([list(task["inputs"]), list(task["inputs"].values())])
    rows.seek(0)
    batch.create_tasks_from_csv(rows)
    return {"batch": batch.id}


def serve() -> int:
    """Serve on a free port of the loopback interface, in the background; the port."""
    from django.contrib.staticfiles.handlers import StaticFilesHandler
    from django.core.servers.basehttp import ThreadedWSGIServer, WSGIRequestHandler
    from django.core.wsgi import get_wsgi_application

    class Quiet(WSGIRequestHandler):  # type: ignore[misc]  # Django is in its own packages alone
        def log_message(self, format: str, *args: object) -> None:
            """Nothing: who asks wants the answers to their lines alone."""

    server = ThreadedWSGIServer((HOST, 0), Quiet)
    server.daemon_threads = True
    server.set_app(StaticFilesHandler(get_wsgi_application()))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return int(server.server_port)


def answer(told: dict[str, Any]) -> None:
    sys.stdout.write(json.dumps(told) + "\n")
    sys.stdout.flush()


def main() -> None:
    user = json.loads(sys.stdin.readline())
    set_up(Path(sys.argv[1]))
    import turkle
    from django.contrib.auth import get_user_model

    get_user_model().objects.create_user(user["username"], password=user["password"])
    answer({"port": serve(), "version": str(turkle.__version__)})
    for line in sys.stdin:
        answer(add_batch(json.loads(line)))
    os._exit(0)


if __name__ == "__main__":
    main()
