# The HTTP service of compsim: docker build -t compsim . && docker run --rm -p 8000:8000 compsim
#
# --build-arg EXTRAS=serve,transformers adds sentence vectors of a transformer, with torch for CPUs.
# Give the token as a variable of the environment: docker run -e COMPSIM_TOKEN ...

# One image and no other: Python 3.11.16. Update the digest with `docker buildx imagetools inspect
# python:3.11-slim`, or build on another image with --build-arg BASE=...
ARG BASE=python:3.11-slim@sha256:9c900dea9e8fb7e16277c179b555cc72d29a352dbc33cff48ad5a0412fd5bfc7
FROM $BASE AS build
ARG EXTRAS=serve
WORKDIR /source
COPY pyproject.toml setup.py constraints.txt README.md LICENSE NOTICE ./
COPY compsim compsim
COPY parsers parsers
COPY weights weights
COPY benchmarks benchmarks
RUN python -m venv /opt/compsim
# Torch without the parts for graphics cards, from the index that has it and from no other.
RUN case ",$EXTRAS," in *,transformers,*|*,all,*|*,amr,*|*,bench,*|*,mteb,*) \
      /opt/compsim/bin/pip install --no-cache-dir --no-deps \
        --index-url https://download.pytorch.org/whl/cpu "$(grep ^torch== constraints.txt)" ;; \
    esac && \
    /opt/compsim/bin/pip install --no-cache-dir -c constraints.txt ".[$EXTRAS]"

FROM $BASE
RUN useradd --create-home --uid 10001 compsim
COPY --from=build /opt/compsim /opt/compsim
ENV PATH=/opt/compsim/bin:$PATH PYTHONUNBUFFERED=1
USER compsim
WORKDIR /home/compsim
# Kernels are compiled now, into the user's cache, rather than at each start.
RUN compsim doctor --warm
EXPOSE 8000
HEALTHCHECK --interval=30s --timeout=5s --start-period=60s CMD ["python", "-c", \
    "import urllib.request; urllib.request.urlopen('http://127.0.0.1:8000/healthz', timeout=4)"]
# In a container, loopback is the container's own; what is published decides who reaches it.
CMD ["compsim", "serve", "--host", "0.0.0.0"]
